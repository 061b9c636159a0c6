x = a[1]
# after
# c
