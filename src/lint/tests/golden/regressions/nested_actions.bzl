"""D"""

def impl(ctx):
    return ctx.new_file(ctx.new_file("q"), "r")
