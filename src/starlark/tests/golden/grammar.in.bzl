f(,1,,2,)
x = (a,,b)
x = {a,b}
x = a if b else c,d
if a: pass
else if b: pass
else: pass
x[1:2], x[::], x[a:], x[:b:c], x[a,b]
lambda: a
lambda x,y = 1,*z: x
for a,b in c,d: break
a; b; return
