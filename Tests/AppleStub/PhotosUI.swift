// The signatures of Apple's PhotosUI framework and its SwiftUI overlay that Holdfast uses: `scripts/check-apple.sh`
// compiles this into a module named PhotosUI. Nothing here is ever run.

public import SwiftUI
public import UniformTypeIdentifiers

@available(iOS 14.0, macOS 13.0, *)
public struct PHPickerFilter: Equatable, Hashable, Sendable {
    public static var images: PHPickerFilter { PHPickerFilter() }
}

@available(iOS 16.0, macOS 13.0, *)
public struct PhotosPickerItem: Equatable, Hashable, Sendable {
    public struct EncodingDisambiguationPolicy: Equatable, Hashable, Sendable {
        public static var automatic: EncodingDisambiguationPolicy { EncodingDisambiguationPolicy() }
    }

    public var supportedContentTypes: [UTType] { [] }
    public func loadTransferable<T>(type: T.Type) async throws -> T? where T: Transferable { nil }
}

@available(iOS 16.0, macOS 13.0, *)
@MainActor @preconcurrency public struct PhotosPicker<Label>: View where Label: View {
    public init(
        selection: Binding<PhotosPickerItem?>, matching filter: PHPickerFilter? = nil,
        preferredItemEncoding: PhotosPickerItem.EncodingDisambiguationPolicy = .automatic,
        @ViewBuilder label: () -> Label
    ) {}
    public var body: some View { EmptyView() }
}
