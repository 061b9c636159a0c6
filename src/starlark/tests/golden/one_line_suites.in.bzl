def f(): return 1
for x in y: print(x); z()
if a: b()
elif c: d()


else: e()
