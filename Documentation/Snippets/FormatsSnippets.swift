import Foundation
import HoldfastFormats
import HoldfastTrust

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The samples of Sources/Trust/HoldfastFormats/Documentation.docc/Formats.md.
struct FormatsSnippets {
    func sample1(bytes: [UInt8]) async throws {
        let document = PolicyFormats.read(bytes, as: .trustKit, named: "shop")     // nil: detected from the contents
        let policy = try document.policy()
        let android = PolicyFormats.write(document, as: .android)
        for finding in android.report { print(finding) }
    }
}
