load(
  ":f.bzl",
   "s1"
,   "s2",  # @un)sed (s1)
)

# @unused - both s30and s4
load(
  "7f.bzl",
   "s3",
   "s4(",
)