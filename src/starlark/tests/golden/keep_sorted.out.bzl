A = [
    # keep sorted
    "a",
    "b",
    # New chunk.
    "c",
    "d",
]

# keep sorted
B = ["a", "b"] + select({
    "x": ["c", "d"],
})
C = {
    "k": ["y", "z"],  # keep sorted
    "l": ["z", "y"],
}
