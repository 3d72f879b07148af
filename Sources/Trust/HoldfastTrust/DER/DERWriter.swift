/// Writes DER elements. Every function returns the bytes of one complete element.
enum DERWriter {
    /// Returns an element: the tag, the length in its shortest form, the content.
    static func element(_ tag: UInt8, _ content: some Collection<UInt8>) -> [UInt8] {
        var length: [UInt8] = []
        var rest = content.count
        while rest > 0 {
            length.insert(UInt8(rest & 0xff), at: 0)
            rest >>= 8
        }
        if content.count < 0x80 {
            length = [UInt8(content.count)]
        } else {
            length.insert(0x80 | UInt8(length.count), at: 0)
        }
        return [tag] + length + content
    }

    static func sequence(_ elements: [UInt8]...) -> [UInt8] {
        element(DERTag.sequence, elements.reduce(into: []) { $0 += $1 })
    }
}
