// The signatures of Apple's UniformTypeIdentifiers framework that Holdfast uses: `scripts/check-apple.sh` compiles this
// into a module named UniformTypeIdentifiers. Nothing here is ever run.

@available(iOS 14.0, macOS 11.0, *)
public struct UTType: Equatable, Hashable, Sendable {
    public init?(filenameExtension: String, conformingTo supertype: UTType = .data) { nil }
    private init() {}

    public static var data: UTType { UTType() }
    public static var item: UTType { UTType() }

    public var preferredMIMEType: String? { nil }
    public var preferredFilenameExtension: String? { nil }
}
