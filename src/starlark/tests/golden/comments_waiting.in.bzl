x = [b for  # one
v
# two
in "z"]
y = (a # one
  # two
  [0])
z = (c if  # one
# two
1 else 2)
w = a[f()

# last
]
