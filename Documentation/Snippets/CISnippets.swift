import Foundation
import HoldfastTrust

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The samples of docs/ci.md.
struct CISnippets {
    func shippedPolicy() throws -> PinningPolicy {
        guard let file = Bundle.module.url(forResource: "api.holdfast", withExtension: "json") else {
            throw CocoaError(.fileNoSuchFile)
        }
        return try PinningPolicy(holdfastJSON: [UInt8](Data(contentsOf: file)))
    }
}

extension Bundle {
    /// In a package with resources, SwiftPM generates this property.
    fileprivate static var module: Bundle { .main }
}
