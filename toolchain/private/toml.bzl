"""The strings in a TOML file, by the keys that lead to them.

Another parser validates the files. For invalid TOML, this one returns whatever strings it finds.

The binary cannot be asked instead. A repository rule runs on the machine of the user. With `fixpoint.prebuilt` and
remote execution, there may be a binary only for another platform.
"""

_BLANKS = " \t\r\n"

# The characters that end a bare key or a value that is not a string.
_ENDS = _BLANKS + "=.,[]{}#\"'"

_ESCAPES = {
    "\"": "\"",
    "\\": "\\",
    "b": "\b",
    "e": "\033",
    "f": "\f",
    "n": "\n",
    "r": "\r",
    "t": "\t",
}

def _unescaped(text):
    """Replaces the escapes in a basic string. Numeric escapes are kept as written, because no path needs them."""
    parts = text.split("\\")
    clean = parts[0]
    escaped = ""
    for part in parts[1:]:
        if escaped == "\\":
            clean += part
            escaped = ""
        elif part == "":
            clean += "\\"
            escaped = "\\"
        elif part[0] in _BLANKS:
            clean += part.lstrip(_BLANKS)
        else:
            clean += _ESCAPES.get(part[0], "\\" + part[0]) + part[1:]
    return clean

def _quoted(text, at):
    """Parses the string that starts at a quote. Returns its value and its end."""
    quote = text[at]
    long = quote * 3
    mark = long if text[at:at + 3] == long else quote
    start = at + len(mark)
    end = start
    for _ in range(len(text)):
        end = text.find(mark, end)
        if end < 0:
            return "", len(text)
        if quote == "'":
            break
        backslashes = end - start - len(text[start:end].rstrip("\\"))
        if backslashes % 2 == 0:
            break
        end += 1

    # Up to two quotes before the closing ones belong to the value of a multi-line string.
    if mark == long:
        for _ in range(2):
            if text[end + 3:end + 4] == quote:
                end += 1
    inside = text[start:end]
    if mark == long:
        inside = inside.removeprefix("\r").removeprefix("\n")
    return (inside if quote == "'" else _unescaped(inside)), end + len(mark)

def _tokens(text):
    """Splits the text into tokens (kind, text), where the kind is `mark`, `line`, `string` or `bare`."""
    tokens = []
    at = 0
    for _ in range(len(text)):
        if at >= len(text):
            break
        char = text[at]
        if char == "\n":
            tokens.append(("line", ""))
            at += 1
        elif char in _BLANKS:
            at += 1
        elif char == "#":
            end = text.find("\n", at)
            at = len(text) if end < 0 else end
        elif char in "\"'":
            said, at = _quoted(text, at)
            tokens.append(("string", said))
        elif char in "=.,[]{}":
            tokens.append(("mark", char))
            at += 1
        else:
            end = at
            for _ in range(len(text)):
                if end >= len(text) or text[end] in _ENDS:
                    break
                end += 1
            tokens.append(("bare", text[at:end]))
            at = end
    return tokens

def toml_strings(text):
    """Every string value of a TOML file.

    Args:
        text (string): The file.

    Returns:
        list[tuple]: For each string, the tuple of keys that lead to it, the string, and a number that only
            the strings of the same table share. Arrays and tables in arrays add no key.
    """
    found = []
    table = ()
    keys = []

    # For each open bracket: the bracket, and the keys and the number of the table outside of it.
    around = []
    tables = 0
    number = 0
    in_header = False
    wants_key = True
    for kind, said in _tokens(text):
        if kind == "line":
            if not around:
                keys, wants_key, in_header = [], True, False
        elif in_header:
            if kind != "mark":
                table = table + (said,)
            elif said == "]":
                in_header = False
        elif kind == "mark":
            if said == "[" and not around and wants_key and not keys:
                in_header, table = True, ()
                tables += 1
                number = tables
            elif said == "=":
                wants_key = False
            elif said in "[{":
                around.append((said, keys, number))
                wants_key = said == "{"
                if said == "{":
                    tables += 1
                    number = tables
                keys = keys + [""] if said == "{" else keys
            elif said in "]}":
                if around:
                    _, keys, number = around.pop()
                wants_key = False
            elif said == "," and around and around[-1][0] == "{":
                keys, wants_key = around[-1][1] + [""], True
        elif wants_key:
            keys = keys + [said]
        elif kind == "string":
            found.append((table + tuple([key for key in keys if key]), said, number))
    return found
