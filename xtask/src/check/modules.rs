//! Finds which file of a crate uses items of which other file, by reading the sources.
//!
//! The result is a set of arrows. An arrow goes from a file to the file that *defines* the item
//! which a path in the first file names. Re-exports and imports are followed, so that
//! `crate::Keyed` leads to `keyed.rs` and not to `lib.rs`.
//!
//! In the body of a `macro_rules!` only paths that start with `crate` count, because
//! `super` and `self` there mean the module of the macro's caller.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::Context;
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::visit::Visit;

/// A module, as the list of names from the crate's root; the root is empty.
pub(super) type Module = Vec<String>;

/// The files of one crate and the paths in them.
#[derive(Default)]
pub(super) struct Crate {
    /// For each module, including inline modules, the module of the file that contains
    /// it.
    modules: BTreeMap<Module, Module>,
    /// For a module and a name that it imports: the module that the name means or whose
    /// item it means, or `None` if the name means an item of another crate.
    imports: BTreeMap<(Module, String), Option<Module>>,
    /// Paths from the crate's root, each with the module of the file that contains the
    /// path.
    paths: BTreeSet<(Module, Module)>,
}

impl Crate {
    /// Reads all files under the folder `src`.
    pub(super) fn read(src: &Path) -> anyhow::Result<Self> {
        let mut files = Vec::new();
        collect(src, &mut Vec::new(), &mut files)?;
        let mut this = Self::default();
        for (module, path) in files {
            let text =
                std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
            this.add(module, &text)
                .with_context(|| path.display().to_string())?;
        }
        Ok(this)
    }

    /// Adds one file of the crate.
    pub(super) fn add(&mut self, module: Module, text: &str) -> anyhow::Result<()> {
        let file = syn::parse_file(text)?;
        self.modules.insert(module.clone(), module.clone());
        let mut reader = Reader {
            here: module.clone(),
            file: module,
            children: Vec::new(),
            into: self,
        };
        reader.enter(&file.items);
        reader.visit_file(&file);
        Ok(())
    }

    /// Returns the modules that are files of their own.
    pub(super) fn files(&self) -> impl Iterator<Item = &Module> {
        let is_file = |(module, file): &(&Module, &Module)| module == file;
        self.modules
            .iter()
            .filter(is_file)
            .map(|(module, _)| module)
    }

    /// Returns all arrows: from each file to each other file whose items it names.
    pub(super) fn arrows(&self) -> BTreeSet<(Module, Module)> {
        self.paths
            .iter()
            .filter_map(|(from, path)| Some((from.clone(), self.defined(path, 0)?)))
            .filter(|(from, to)| from != to)
            .collect()
    }

    /// Returns the file that defines the item of a path; `None` if another crate defines it.
    fn defined(&self, path: &[String], depth: usize) -> Option<Module> {
        // `#[macro_export]` puts a macro at the crate's root, wherever it is defined. The
        // names of macros that are only for this repository start with two underscores.
        if path.first().is_some_and(|name| name.starts_with("__")) {
            return None;
        }
        let mut here = Vec::new();
        for (at, name) in path.iter().enumerate() {
            here.push(name.clone());
            if self.modules.contains_key(&here) {
                continue;
            }
            here.pop();
            // Macros import a name from itself, which would lead to an endless recursion.
            if depth < 16
                && let Some(import) = self.imports.get(&(here.clone(), name.clone()))
            {
                let mut whole = import.clone()?;
                whole.extend_from_slice(&path[at + 1..]);
                return self.defined(&whole, depth + 1);
            }
            break;
        }
        self.modules.get(&here).cloned()
    }
}

fn collect(
    folder: &Path,
    module: &mut Module,
    files: &mut Vec<(Module, std::path::PathBuf)>,
) -> anyhow::Result<()> {
    for entry in std::fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        let name = path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if path.is_dir() {
            module.push(name);
            collect(&path, module, files)?;
            module.pop();
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let mut whole = module.clone();
            if !matches!(name.as_str(), "lib" | "main" | "mod") {
                whole.push(name);
            }
            files.push((whole, path));
        }
    }
    Ok(())
}

struct Reader<'c> {
    file: Module,
    /// The module that is being read: the file's module, or an inline module in the file.
    here: Module,
    /// Child modules that `here` declares.
    children: Vec<String>,
    into: &'c mut Crate,
}

impl Reader<'_> {
    /// Records the declarations and imports of a module before its paths are read.
    fn enter(&mut self, items: &[syn::Item]) {
        self.children = items
            .iter()
            .filter_map(|item| match item {
                syn::Item::Mod(module) => Some(module.ident.to_string()),
                _ => None,
            })
            .collect();
        for item in items {
            if let syn::Item::Use(item) = item {
                self.import(&item.tree, &mut Vec::new());
            }
        }
    }

    fn import(&mut self, tree: &syn::UseTree, path: &mut Vec<String>) {
        match tree {
            syn::UseTree::Path(next) => {
                path.push(next.ident.to_string());
                self.import(&next.tree, path);
                path.pop();
            }
            syn::UseTree::Name(name) => {
                let name = name.ident.to_string();
                if name == "self" {
                    let last = path.last().cloned().unwrap_or_default();
                    self.imported(&last, path.clone());
                } else {
                    let mut whole = path.clone();
                    whole.push(name.clone());
                    self.imported(&name, whole);
                }
            }
            syn::UseTree::Rename(rename) => {
                let mut whole = path.clone();
                whole.push(rename.ident.to_string());
                self.imported(&rename.rename.to_string(), whole);
            }
            // A glob import does not show which names it imports, but it shows the module.
            syn::UseTree::Glob(_) => self.name(path),
            syn::UseTree::Group(group) => {
                for tree in &group.items {
                    self.import(tree, path);
                }
            }
        }
    }

    fn imported(&mut self, name: &str, path: Vec<String>) {
        let whole = self.absolute(&path);
        // `pub use name;` makes a macro visible to other modules; it imports nothing.
        if path.len() > 1 || whole.is_some() {
            let key = (self.here.clone(), name.to_owned());
            self.into.imports.insert(key, whole);
        }
        self.name(&path);
    }

    /// Returns the path from the crate's root; `None` if the path leads to another crate.
    fn absolute(&self, path: &[String]) -> Option<Vec<String>> {
        let mut whole = match path.first()?.as_str() {
            "crate" => Vec::new(),
            "self" | "super" => self.here.clone(),
            first if self.children.iter().any(|child| child == first) => {
                let mut whole = self.here.clone();
                whole.push(first.to_owned());
                whole
            }
            first => self
                .into
                .imports
                .get(&(self.here.clone(), first.to_owned()))?
                .clone()?,
        };
        for (at, name) in path.iter().enumerate() {
            match name.as_str() {
                "super" => {
                    whole.pop()?;
                }
                "crate" | "self" => {}
                _ if at == 0 => {}
                name => whole.push(name.to_owned()),
            }
        }
        Some(whole)
    }

    fn name(&mut self, path: &[String]) {
        // `crate` alone names no item, for example in `pub(crate)`.
        if let Some(whole) = self.absolute(path)
            && !whole.is_empty()
        {
            self.into.paths.insert((self.file.clone(), whole));
        }
    }

    /// Reads the paths in the tokens of a macro; in a macro's definition, only paths that
    /// start with `crate`.
    fn tokens(&mut self, tokens: TokenStream, prefix: &[String], defines: bool) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let colons = |at: usize| {
            (at..at + 2).all(
                |i| matches!(tokens.get(i), Some(TokenTree::Punct(punct)) if punct.as_char() == ':'),
            )
        };
        let mut at = 0;
        while at < tokens.len() {
            let mut path = prefix.to_vec();
            while let Some(TokenTree::Ident(name)) = tokens.get(at) {
                path.push(name.to_string());
                at += 1;
                if !colons(at) {
                    break;
                }
                at += 2;
            }
            if path.len() > prefix.len() {
                let from_crate = path.first().is_some_and(|first| first == "crate");
                let grouped = match tokens.get(at) {
                    Some(TokenTree::Group(group))
                        if group.delimiter() == Delimiter::Brace
                            && matches!(tokens.get(at - 1), Some(TokenTree::Punct(_))) =>
                    {
                        Some(group.stream())
                    }
                    _ => None,
                };
                if let Some(group) = grouped {
                    self.tokens(group, &path, defines);
                    at += 1;
                } else if from_crate || !defines && path.len() > 1 {
                    self.name(&path);
                }
                continue;
            }
            if let TokenTree::Group(group) = &tokens[at] {
                self.tokens(group.stream(), &[], defines);
            }
            at += 1;
        }
    }
}

impl<'ast> Visit<'ast> for Reader<'_> {
    fn visit_item_mod(&mut self, module: &'ast syn::ItemMod) {
        let Some((_, items)) = &module.content else {
            return;
        };
        self.here.push(module.ident.to_string());
        self.into
            .modules
            .insert(self.here.clone(), self.file.clone());
        let children = std::mem::take(&mut self.children);
        self.enter(items);
        syn::visit::visit_item_mod(self, module);
        self.children = children;
        self.here.pop();
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let names: Vec<String> = path
            .segments
            .iter()
            .map(|segment| segment.ident.to_string())
            .collect();
        self.name(&names);
        syn::visit::visit_path(self, path);
    }

    /// `pub(super)` names no item, so it is not visited.
    fn visit_vis_restricted(&mut self, _: &'ast syn::VisRestricted) {}

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        // Reads imports inside functions. `enter` has already read the imports of modules.
        self.import(&item.tree, &mut Vec::new());
    }

    fn visit_item_macro(&mut self, item: &'ast syn::ItemMacro) {
        self.visit_path(&item.mac.path);
        let defines = item.mac.path.is_ident("macro_rules");
        self.tokens(item.mac.tokens.clone(), &[], defines);
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        self.visit_path(&call.path);
        self.tokens(call.tokens.clone(), &[], false);
    }
}
