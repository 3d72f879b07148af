/// A page of search results from the server.
package struct SearchAnswer: Hashable, Sendable {
    package struct Page: Hashable, Sendable {
        package var offset: Int64
        package var size: Int64
        package var number: Int64
        package var extra: JSONObject

        package init(offset: Int64, size: Int64, number: Int64, extra: JSONObject = [:]) {
            self.extra = extra
            self.offset = offset
            self.size = size
            self.number = number
        }
    }

    package var total: Int64
    package var pages: Int64
    package var content: [Content]
    package var page: Page?
    package var extra: JSONObject = [:]
    /// Parts that could not be read and are kept in `extra`. Contents have their own lists.
    package private(set) var problems: [WireProblem] = []

    package init(total: Int64, pages: Int64, content: [Content], page: Page?) {
        self.total = total
        self.pages = pages
        self.content = content
        self.page = page
    }

    package init(
        parsing bytes: [UInt8], limits: JSONLimits = .answer, dialect: ChatDialect = .documented
    ) throws(WireError) {
        let object = try JSONValue.object(parsing: bytes, limits: limits, in: "search", dialect)
        var fields = FieldReader(object)
        total = fields.integer("total") ?? 0
        pages = fields.integer("pages") ?? 0
        content = try fields.array("content").required("content", in: "search").map(Content.init)
        page = fields.nested("pageable") { page in
            let offset = page.integer("offset") ?? 0
            let size = page.integer("pageSize") ?? 0
            let number = page.integer("pageNumber") ?? 0
            return Page(offset: offset, size: size, number: number, extra: page.rest)
        }
        extra = fields.rest
        problems = fields.problems
    }

    package var bytes: [UInt8] { bytes(in: .documented) }

    /// Returns the answer as JSON with the names of `dialect`.
    package func bytes(in dialect: ChatDialect) -> [UInt8] {
        var object = JSONObject()
        if extra["total"] == nil { object.set("total", total) }
        if extra["pages"] == nil { object.set("pages", pages) }
        object["content"] = .array(content.map(\.json))
        if let page {
            var inner = JSONObject()
            if page.extra["offset"] == nil { inner.set("offset", page.offset) }
            if page.extra["pageSize"] == nil { inner.set("pageSize", page.size) }
            if page.extra["pageNumber"] == nil { inner.set("pageNumber", page.number) }
            inner.append(missingFrom: page.extra)
            object["pageable"] = .object(inner)
        }
        object.append(missingFrom: extra)
        return dialect.written(object)
    }
}
