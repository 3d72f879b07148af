#if canImport(FoundationNetworking)
@_exported public import FoundationNetworking  // reason: URLRequest and the challenge types are part of the API
#endif
