// Makes a title usable in a URL.
exports.slug = (title) => title.toLowerCase().replace(" ", "-");
