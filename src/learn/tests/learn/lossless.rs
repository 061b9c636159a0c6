//! No application of a rule loses a token of a capture or a comment, and every result parses.

