/// One page of what the server found.
package struct SearchAnswer: Hashable, Sendable {
    package struct Page: Hashable, Sendable {
        package var offset: Int64
        package var size: Int64
        package var number: Int64

        package init(offset: Int64, size: Int64, number: Int64) {
            self.offset = offset
            self.size = size
            self.number = number
        }
    }

    package var total: Int64
    package var pages: Int64
    package var content: [Content]
    package var page: Page?

    package init(total: Int64, pages: Int64, content: [Content], page: Page?) {
        self.total = total
        self.pages = pages
        self.content = content
        self.page = page
    }

    package init(parsing bytes: [UInt8], limits: JSONLimits = .answer) throws(WireError) {
        let object = try JSONValue.object(parsing: bytes, limits: limits, in: "search")
        var fields = FieldReader(object)
        total = fields.integer("total") ?? 0
        pages = fields.integer("pages") ?? 0
        content = try fields.array("content").required("content", in: "search").map(Content.init)
        page = fields.object("pageable").map { object in
            var page = FieldReader(object)
            return Page(
                offset: page.integer("offset") ?? 0, size: page.integer("pageSize") ?? 0,
                number: page.integer("pageNumber") ?? 0)
        }
    }

    package var bytes: [UInt8] {
        var object: JSONObject = [
            "total": .integer(total), "pages": .integer(pages), "content": .array(content.map(\.json)),
        ]
        if let page {
            object["pageable"] = .object([
                "offset": .integer(page.offset), "pageSize": .integer(page.size), "pageNumber": .integer(page.number),
            ])
        }
        return JSONValue.object(object).bytes
    }
}
