import HoldfastTrust
import PinReports
package import ServerMarkup

extension ReportDeskPages {
    /// Returns the page of one report.
    package func report(_ view: ReportView) -> HTML {
        let contents: HTML = view.decoded.map { decoded($0, view) } ?? facts(view)
        return page(
            "Report \(view.id)", current: "",
            """
            <h1>Report \(view.id)</h1><p>Received <span>\(DeskTime.element(view.receivedAt))</span>. \
            Reports can be forged.</p>\(contents)\
            <p class="exports">Export: <a href="\(DeskPaths.report(view.id)).json">JSON</a></p>
            """)
    }

    /// The page of a report without its certificates.
    private func facts(_ view: ReportView) -> HTML {
        """
        <p>The certificates of this report are not stored, or cannot be read any more.</p>\
        <pre id="details" tabindex="0"><code>\(view.details)</code></pre>
        """
    }

    private func decoded(_ decoded: DecodedReport, _ view: ReportView) -> HTML {
        let report = decoded.report
        var facts: [(String, String)] = [
            ("Host", report.host.text), ("Port", report.port == 0 ? "unknown" : String(report.port)),
            ("Host of the rule", report.notedHost.text),
            ("Includes subdomains", report.includesSubdomains ? "yes" : "no"),
            ("Time of the app", report.reportedAt.description),
            ("Format", report.format == .trustKit ? "TrustKit" : "RFC 7469"),
            ("Result", report.result?.name ?? "no pin matched"),
            ("Connection refused", report.isEnforced.map { $0 ? "yes" : "no, the rule only reports" } ?? "unknown"),
            ("End of the pins", report.expires?.description ?? "none"),
        ]
        if let app = report.app {
            facts += [
                ("App", app.bundleID), ("App version", app.version), ("Installation", app.vendorID),
                ("Platform", [app.platform, app.platformVersion ?? ""].joined(separator: " ")),
            ]
        }
        if let version = report.policyVersion { facts.append(("Policy version", String(version))) }
        let rows = facts.map { name, value -> HTML in "<div><dt>\(name)</dt><dd><bdi>\(value)</bdi></dd></div>" }
        let pins = decoded.expectedPins.map { "<li><code>\($0)</code></li>" as HTML }
        let application = report.app?.bundleID ?? ""
        func policies(_ pin: String) -> [KnownPolicy] {
            view.catalog.policies(listing: pin, for: report.host, application: application)
        }
        let served: HTML? = decoded.served.map { served in
            """
            <section aria-labelledby="served-title"><h2 id="served-title">Sent by the server</h2>\
            \(chain(served, expected: decoded.expectedPins, at: view.receivedAt, policies: policies))</section>
            """
        }
        return """
            <dl class="facts">\(rows)</dl>\
            <section aria-labelledby="pins-title"><h2 id="pins-title">Expected pins</h2><ul>\(pins)</ul></section>\
            <section aria-labelledby="validated-title"><h2 id="validated-title">Verified by the app</h2>\
            \(chain(decoded.validated, expected: decoded.expectedPins, at: view.receivedAt, policies: policies))</section>\
            \(served)
            """
    }
}
