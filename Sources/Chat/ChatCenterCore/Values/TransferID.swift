/// One file on its way up or down. Made by the caller, since an upload outlives the process.
package struct TransferID: Hashable, Sendable {
    package var text: String

    package init(_ text: String) {
        self.text = text
    }
}
