package words

import "testing"

func TestTwoWords(t *testing.T) {
	if got := Count("one two"); got != 2 {
		t.Errorf("Count = %d, want 2", got)
	}
}

func TestNoWords(t *testing.T) {
	if got := Count(""); got != 0 {
		t.Errorf("Count = %d, want 0", got)
	}
}
