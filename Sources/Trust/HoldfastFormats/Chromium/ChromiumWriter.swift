import HoldfastTrust

/// Writes Chromium's static pins, with hashes in the place of names.
enum ChromiumWriter {
    private struct Content: Hashable {
        var pins: [Pin]
        var uri: String?
    }

    static func text(of domains: [AdaptedDomain], denied: [Pin]) -> String {
        var contents: [Content] = []
        var entries: [JSONNode.Value] = []
        for domain in domains {
            var name: String?
            if !domain.isExcluded {
                let content = Content(pins: domain.pins, uri: domain.reportURIs.first)
                let index = contents.firstIndex(of: content) ?? contents.count
                if index == contents.count { contents.append(content) }
                name = "set\(index + 1)"
            }
            entries.append(
                .fields([
                    ("name", .string(domain.pattern.host.text)),
                    ("include_subdomains", .bool(domain.pattern.depth == .apexAndAnyDepth)),
                    ("pins", name.map { .string($0) }),
                ]))
        }
        let sets = contents.enumerated().map { index, content in
            JSONNode.Value.fields([
                ("name", .string("set\(index + 1)")),
                ("static_spki_hashes", .list(content.pins.map { .text($0.digest) })),
                ("bad_static_spki_hashes", denied.isEmpty ? nil : .list(denied.map { .text($0.digest) })),
                ("report_uri", content.uri.map { .string($0) }),
            ])
        }
        return JSONWriter.text(.fields([("pinsets", .list(sets)), ("entries", .list(entries))]))
    }
}
