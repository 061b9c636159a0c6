// Package words counts words.
package words

import "strings"

// Count returns the number of words in a text.
func Count(text string) int {
	return len(strings.Split(text, " "))
}
