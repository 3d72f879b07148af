import Testing

@testable import ChatPageServer

@Suite("Descriptions of pages")
struct OpenGraphTests {
    private func read(_ html: String) -> OpenGraph { OpenGraph(page: Array(html.utf8)) }

    @Test("OpenGraph properties take precedence over HTML's own")
    func properties() {
        let page = read(
            """
            <!doctype html><html><head><title>Plain &amp; simple</title>
            <meta name="description" content="From HTML">
            <meta property='og:title' content='The &quot;title&quot;'>
            <META PROPERTY=og:site_name CONTENT=Site>
            <meta content="https://example.com/a.png?b=1&amp;c=2" property="og:image">
            <meta property="og:title" content="Second"></head><body>
            <meta property="og:description" content="Too late"></body></html>
            """)
        #expect(page.title == "The \"title\"")
        #expect(page.description == "From HTML")
        #expect(page.site == "Site")
        #expect(page.image == "https://example.com/a.png?b=1&c=2")
    }

    @Test("Without properties, the title of HTML is used")
    func plain() {
        let page = read("<title>\n  A   page\n</title><meta name=description content='x'>")
        #expect(page.title == "A page")
        #expect(page.description == "x")
        #expect(page.image == nil)
    }

    @Test("Tags in scripts, comments and attributes are not tags")
    func hidden() {
        let page = read(
            """
            <!-- <meta property="og:title" content="comment"> -->
            <script>var x = '<meta property="og:title" content="script">'</script>
            <style><meta property="og:title" content="style"></style>
            <noscript><meta property="og:title" content="noscript"></noscript>
            <link title='<meta property="og:title" content="attribute">'>
            <title><meta property="og:title" content="title"></title>
            """)
        #expect(page.title == "<meta property=\"og:title\" content=\"title\">")
    }

    @Test("Markup in values stays text, and nothing is decoded twice")
    func markup() {
        let page = read("<meta property='og:title' content='&lt;script&gt;&amp;lt;b&amp;gt;'>")
        #expect(page.title == "<script>&lt;b&gt;")
    }

    @Test("Control and format characters are removed, and white space is joined")
    func characters() {
        let page = read("<meta property='og:title' content='a\u{202E}b\u{0}c\u{2028}d &#x202E;&#0;&#7;e\t\n f'>")
        // A reference to U+0000 is not decoded.
        #expect(page.title == "abc d &#0;e f")
    }

    @Test("Values are cut at their limits")
    func limits() {
        let long = String(repeating: "ä", count: 5_000)
        let page = read("<title>\(long)</title><meta name=description content='\(long)'>")
        #expect(page.title?.count == OpenGraph.titleLimit)
        #expect(page.title?.last == "…")
        #expect(page.description?.count == OpenGraph.descriptionLimit)
    }

    @Test(
        "Malformed pages have a result",
        arguments: [
            "", "<", "<>", "</", "<!", "<!--", "<meta", "<meta ", "<meta property", "<meta property=",
            "<meta property='",
            "<title", "<title>", "<title>x", "<script>", "<a b=c d='e", "&", "&#;", "&#x;", "&#xFFFFFFFFFF;",
            "<m =\"x\">",
            "<meta ======>", "<meta content='og:title' / / />", "<//>", "<!-->", "<!--->",
        ])
    func malformed(html: String) {
        let page = read(html)
        #expect(page.image == nil)
        #expect(OpenGraph(page: Array(html.utf8) + [0xFF, 0xFE]).image == nil)
    }

    @Test("A page with many tags is read in bounded steps")
    func manyTags() {
        let page = read(String(repeating: "<a>", count: 100_000) + "<title>late</title>")
        #expect(page.title == nil)
        let attributes = "<meta " + String(repeating: "a=b ", count: 100_000) + "><title>x</title>"
        #expect(read(attributes).title == "x")
    }

    @Test(
        "Character references",
        arguments: [
            ("a&amp;b", "a&b"), ("&#65;&#x42;&#X43;", "ABC"), ("&unknown;", "&unknown;"), ("&amp", "&amp"),
            ("&&lt;", "&<"),
            ("100% &", "100% &"),
        ])
    func references(text: String, expected: String) { #expect(HTMLEntities.decode(text) == expected) }
}
