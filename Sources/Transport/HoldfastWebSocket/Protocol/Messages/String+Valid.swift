extension String {
    /// The text that a ``UTF8Validator`` has let pass, to its end: it is not checked a second time where the standard library
    /// can do without.
    init(valid bytes: [UInt8]) {
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            self.init(copying: unsafe UTF8Span(unchecked: bytes.span))
        } else {
            self.init(decoding: bytes, as: UTF8.self)
        }
    }
}
