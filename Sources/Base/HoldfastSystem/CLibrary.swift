#if canImport(Glibc)
@_exported public import Glibc  // reason: the one place that knows which C library there is
#elseif canImport(Musl)
@_exported public import Musl  // reason: the one place that knows which C library there is
#else
@_exported public import Darwin  // reason: the one place that knows which C library there is
#endif
