// Migrating code replaces each import line one by one, so this module also exports the modules of its types.
@_exported public import HoldfastNetworking  // reason: see above
@_exported public import HoldfastTrust  // reason: see above
