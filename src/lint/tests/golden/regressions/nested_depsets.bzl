def f0():(
        len(depset(ctx.new_file(native.package_name(), [repository_name() for y in depset(a)]))),
)
