3:21 unused-variable warning: the variable `args` is not used
4:5 function-docstring-args info: the docstring leaves out b, _c, *args
4:5 function-docstring-return info: the docstring of `some` does not say what it returns
8:7 function-docstring-args info: there is no parameter `d`
14:9 return-value warning: some but not all paths of `some` return a value
18:9 unreachable warning: the statement is never reached
19:17 uninitialized warning: `x` may have no value here
19:20 uninitialized warning: `y` may have no value here
21:1 function-docstring info: `missing` has no docstring
21:1 return-value warning: some but not all paths of `missing` return a value
29:11 unused-variable warning: the variable `a` is not used
30:5 function-docstring-header info: the docstring of `wordy` has no summary of one line
30:5 function-docstring-return info: the docstring of `wordy` does not say what it returns
33:5 function-docstring-args info: `Args:` is the usual word for `Arguments:`
