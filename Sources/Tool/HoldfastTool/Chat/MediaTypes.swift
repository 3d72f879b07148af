/// The media types of files by their names: those that people send.
enum MediaTypes {
    private static let types = [
        "jpg": "image/jpeg", "jpeg": "image/jpeg", "png": "image/png", "gif": "image/gif", "webp": "image/webp",
        "heic": "image/heic", "pdf": "application/pdf", "txt": "text/plain", "csv": "text/csv",
        "json": "application/json",
        "zip": "application/zip", "ogg": "audio/ogg", "mp3": "audio/mpeg", "mp4": "video/mp4",
    ]

    /// The type of a file of this name; `application/octet-stream` where nothing is known of it.
    static func type(ofFile path: String) -> String {
        let name = path.split(separator: "/").last ?? ""
        guard let dot = name.lastIndex(of: ".") else { return "application/octet-stream" }
        return types[name[name.index(after: dot)...].lowercased()] ?? "application/octet-stream"
    }
}
