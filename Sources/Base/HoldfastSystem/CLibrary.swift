#if canImport(Glibc)
@_exported public import Glibc  // reason: only this file selects the C library
#elseif canImport(Musl)
@_exported public import Musl  // reason: only this file selects the C library
#else
@_exported public import Darwin  // reason: only this file selects the C library
#endif
