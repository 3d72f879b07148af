import HoldfastTrust
import ServerMarkup

/// Times on the desk's pages, in UTC.
enum DeskTime {
    /// Returns a time. The desk's script replaces the text by the local time.
    static func element(_ time: Timestamp) -> HTML {
        let text = time.description
        // Instants far away have no date, so that browsers could not read them.
        guard !text.hasPrefix("@") else { return "<span>\(text)</span>" }
        return "<time datetime=\"\(text)\">\(text.replacing("T", with: " ").replacing("Z", with: " UTC"))</time>"
    }
}
