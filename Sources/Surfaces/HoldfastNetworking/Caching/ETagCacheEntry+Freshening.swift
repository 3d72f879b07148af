import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension ETagCacheEntry {
    /// The entry with the fields that a 304 brought (RFC 9111, 4.3.4 and 3.2): all but those that describe the body, which
    /// stays as it is.
    func freshened(by notModified: HTTPURLResponse) -> ETagCacheEntry? {
        let ofTheBody: Set<String> = [
            "content-encoding", "content-length", "content-range", "content-type", "transfer-encoding", "connection",
            "keep-alive", "trailer", "upgrade", "te", "proxy-connection", "etag",
        ]
        var fields: [String: String] = [:]
        for (name, value) in response.allHeaderFields {
            if let name = name as? String, let value = value as? String { fields[name] = value }
        }
        for (name, value) in notModified.allHeaderFields {
            guard let name = name as? String, let value = value as? String,
                !ofTheBody.contains(name.lowercased())
            else { continue }
            // One name, however it is spelt.
            for old in fields.keys where old.lowercased() == name.lowercased() { fields[old] = nil }
            fields[name] = value
        }
        guard let url = notModified.url ?? response.url,
            let response = HTTPURLResponse(
                url: url, statusCode: response.statusCode, httpVersion: "HTTP/1.1", headerFields: fields)
        else { return nil }
        return ETagCacheEntry(etag: etag, data: data, response: response)
    }
}
