/// Why a text is no JSON, and where.
package struct JSONFault: Error, Hashable, Sendable {
    package var reason: String
    package var position: SourcePosition

    package init(reason: String, position: SourcePosition) {
        self.reason = reason
        self.position = position
    }
}
