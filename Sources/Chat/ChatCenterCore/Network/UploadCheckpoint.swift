/// The point from which an interrupted upload can continue. Its content is opaque to the core.
package struct UploadCheckpoint: Hashable, Sendable {
    package var text: String

    package init(_ text: String) {
        self.text = text
    }
}
