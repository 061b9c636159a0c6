def a(x,y = 1,*args,**kwargs): pass
def b(x,
  y: int = 1, *,
  z) -> list[int]: pass
def c(
    x): return x
def d(): pass
