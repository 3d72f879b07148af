/// Where an interrupted upload can go on; opaque to the core.
package struct UploadCheckpoint: Hashable, Sendable {
    package var text: String

    package init(_ text: String) {
        self.text = text
    }
}
