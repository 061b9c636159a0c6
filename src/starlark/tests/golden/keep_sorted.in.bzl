A = [
    # keep sorted
    "b",
    "a",
    # New chunk.
    "d",
    "c",
    "c",
]

# keep sorted
B = ["b", "a"] + select({
    "x": ["d", "c"],
})
C = {
    "k": ["z", "y"],  # keep sorted
    "l": ["z", "y"],
}
