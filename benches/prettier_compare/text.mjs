// The meaning of style sheets, data, GraphQL and Markdown.
import {
  parse as parseGraphql,
  print as printGraphql,
  stripIgnoredCharacters,
} from "graphql";
import JSON5 from "json5";
import { fromMarkdown } from "mdast-util-from-markdown";
import { frontmatterFromMarkdown } from "mdast-util-frontmatter";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { frontmatter } from "micromark-extension-frontmatter";
import { gfm } from "micromark-extension-gfm";
import postcss from "postcss";
import less from "postcss-less";
import scss from "postcss-scss";
import { parseAllDocuments } from "yaml";

/** Rules and declarations without blanks, quotes, case, and the spelling of numbers. */
export function style(text, name) {
  const parsers = { css: postcss.parse, less: less.parse, scss: scss.parse };
  const lines = [];
  const spelled = (value) =>
    (value ?? "")
      .replaceAll(/\/\*[\s\S]*?\*\/|(?<![:"'(\w])\/\/[^\n]*/g, "")
      .replaceAll(/\\?["']/g, '"')
      .replaceAll(/(?<![\w.#])(\d*)\.(\d*?)0*(?=\D|$)/g, (_, whole, part) => {
        const integer = whole === "" ? "0" : whole;
        return part === "" ? integer : `${integer}.${part}`;
      })
      .replaceAll(/[\s;]/g, "")
      .replaceAll(/,\)/g, ")")
      .toLowerCase();
  parsers[name.split(".").pop()](text).walk((node) => {
    if (node.type === "rule") {
      // The value of an attribute may have quotes or not.
      lines.push(`rule ${spelled(node.selector).replaceAll('"', "")}`);
    } else if (node.type === "decl") {
      lines.push(
        `${spelled(node.prop)}:${spelled(node.value)}${
          node.important ? "!important" : ""
        }`,
      );
    } else if (node.type === "atrule") {
      // In Less, a variable is an at-rule, with or without a space before its colon.
      const params = spelled(node.params).replace(/^:/, "");
      lines.push(`@${node.name.toLowerCase().replace(/:$/, "")} ${params}`);
    }
  });
  return lines.join("\n");
}

export function data(text, name) {
  if (name.endsWith(".json")) {
    return JSON.stringify(JSON5.parse(text));
  }
  const documents = parseAllDocuments(text, {
    merge: false,
    logLevel: "silent",
  });
  for (const document of documents) {
    if (document.errors.length > 0) {
      throw document.errors[0];
    }
  }
  return JSON.stringify(
    documents.map((document) => document.toJS({ maxAliasCount: -1 })),
  );
}

export function graphql(text) {
  return stripIgnoredCharacters(
    printGraphql(parseGraphql(text, { noLocation: true })),
  );
}

/** The tree of a document, without positions and without line ends inside of a paragraph. */
export function markdown(text) {
  const tree = fromMarkdown(text, {
    extensions: [gfm(), frontmatter(["yaml", "toml"])],
    mdastExtensions: [
      gfmFromMarkdown(),
      frontmatterFromMarkdown(["yaml", "toml"]),
    ],
  });
  return JSON.stringify(tree, (key, value) => {
    if (["position", "spread", "start", "meta"].includes(key)) {
      return undefined;
    }
    // Code in a known language is formatted too.
    if (value?.type === "code") {
      return { type: "code", lang: value.lang };
    }
    if (value?.type === "yaml" || value?.type === "toml") {
      return { type: value.type };
    }
    return typeof value === "string"
      ? value.replaceAll(/\s+/g, " ").trim()
      : value;
  });
}
