// Code that moves over replaces one import line by one: what the names here stand for comes along.
@_exported public import HoldfastNetworking  // reason: see above
@_exported public import HoldfastTrust  // reason: see above
