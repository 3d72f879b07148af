/// One element: its tag and where it lies.
struct DERElement: Hashable, Sendable {
    /// The identifier octet.
    var tag: UInt8
    /// Tag, length and content.
    var whole: Range<Int>
    /// The content alone.
    var content: Range<Int>
}
