/// One step of what a scripted proxy does on each of its connections.
public enum ScriptedProxyStep: Sendable {
    /// Waits until what has arrived ends with an empty line: an HTTP head.
    case awaitHead
    /// Waits for so many bytes.
    case await(Int)
    /// Sends these bytes, exactly.
    case send([UInt8])
    /// From here on carries bytes to and from this port on 127.0.0.1.
    case tunnel(to: UInt16)
    /// Closes the connection.
    case close

    /// Sends text; line breaks have to be written out.
    public static func text(_ text: String) -> ScriptedProxyStep { .send(Array(text.utf8)) }
}
