x = [1, 2]  # the assignment
f(
    a,  # first
    b,
)  # the call
if a:  # condition
    b  # statement
y = (a +  # left
     b)  # right
