/// Identifies an upload or a download. The caller creates it, because an upload can outlive the process.
package struct TransferID: Hashable, Sendable {
    package var text: String

    package init(_ text: String) {
        self.text = text
    }
}
