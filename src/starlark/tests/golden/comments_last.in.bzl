x = a[1
# c
]
