p, t[:a &
 b]
