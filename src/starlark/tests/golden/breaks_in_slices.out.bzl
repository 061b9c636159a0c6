p, t[:a &
      b]
