# a comment of C: x*/  
x = 1
