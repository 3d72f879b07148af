package import HoldfastTrust
import PinReports
package import ServerMarkup

/// The pages of the report desk. Each works without JavaScript; the script makes it follow new reports.
package struct ReportDeskPages: Sendable {
    let visitor: DeskVisitor
    let now: Timestamp

    /// Creates the pages of a visitor.
    package init(visitor: DeskVisitor, now: Timestamp) {
        self.visitor = visitor
        self.now = now
    }

    // MARK: The frame of each page

    func page(_ title: HTML, current: String, notice: String? = nil, _ main: HTML) -> HTML {
        Self.document(
            title: "\(title) · Report desk", version: visitor.version,
            body: """
                <a class="skip" href="#main">Skip to the content</a>\(banner(current))\
                <p id="stale" role="status" hidden>The server has not been heard for 30 seconds. This page may be old.</p>\
                <p id="ended" role="alert" hidden>The session has ended. Load the page again to sign in.</p>\
                <main id="main" tabindex="-1">\(Self.notice(notice))\(main)</main>
                """)
    }

    private func banner(_ current: String) -> HTML {
        let links = [(DeskPaths.incidents, "Incidents"), (DeskPaths.rollouts, "Roll-outs")].map { path, name -> HTML in
            "<li><a href=\"\(path)\"\(path == current ? " aria-current=\"page\"" as HTML : "")>\(name)</a></li>"
        }
        return """
            <header class="top"><p class="brand"><a href="\(DeskPaths.incidents)">Report desk</a></p>\
            <nav aria-label="Desk"><ul>\(links)</ul></nav>\
            <p id="who">Signed in as <bdi>\(visitor.name)</bdi></p>\
            <form method="post" action="\(DeskPaths.signOut)">\(formField)<button>Sign out</button></form></header>
            """
    }

    /// The field that each form needs.
    var formField: HTML { "<input type=\"hidden\" name=\"form\" value=\"\(visitor.form)\">" }

    static func notice(_ text: String?) -> HTML {
        text.map { "<p id=\"notice\" role=\"alert\">\($0)</p>" } ?? ""
    }

    static func document(title: HTML, version: UInt64? = nil, body: HTML) -> HTML {
        let script: HTML? = version.map {
            """
            <meta name="desk-version" content="\($0)">\
            <script type="module" src="\(ReportDeskFiles.script.address)"></script>
            """
        }
        return """
            <!doctype html><html lang="en"><head><meta charset="utf-8">\
            <meta name="viewport" content="width=device-width, initial-scale=1"><title>\(title)</title>\
            <link rel="stylesheet" href="\(ReportDeskFiles.styles.address)">\(script)</head><body>\(body)</body></html>
            """
    }

    // MARK: Incidents

    /// Returns the list of incidents.
    package func incidents(_ view: IncidentListView, notice: String? = nil) -> HTML {
        let rows = view.incidents.map(row)
        let none: HTML? =
            view.incidents.isEmpty
            ? (view.filter.isActive
                ? "<p class=\"none\">No incident matches the filter.</p>"
                : "<p class=\"none\">No report has arrived yet.</p>") : nil
        let table: HTML? =
            view.incidents.isEmpty
            ? nil
            : """
            <div class="scroll" role="region" aria-label="Incidents" tabindex="0"><table id="incidents">\
            <caption class="hidden">Incidents, the newest first</caption><thead><tr>\
            <th scope="col">Host</th><th scope="col">App</th><th scope="col">Result</th><th scope="col">State</th>\
            <th scope="col" class="number">Reports</th><th scope="col" class="number">Clients</th><th scope="col">First seen</th>\
            <th scope="col">Last seen</th></tr></thead><tbody>\(rows)</tbody></table></div>
            """
        let next: HTML? = view.nextQuery.map {
            "<p><a id=\"next\" rel=\"next\" href=\"\(DeskPaths.incidents)?\($0)\">Older incidents</a></p>"
        }
        let query = view.query.isEmpty ? "" : "?" + view.query
        return page(
            "Incidents", current: DeskPaths.incidents, notice: notice,
            """
            <h1>Incidents</h1>\(overview(view))\(filter(view.filter))\(none)\(table)\(next)\
            <p class="exports">Export: <a href="\(DeskPaths.incidentsJSON)\(query)">JSON</a> \
            <a href="\(DeskPaths.incidentsCSV)\(query)">CSV</a></p>
            """)
    }

    private func overview(_ view: IncidentListView) -> HTML {
        let states = IncidentState.allCases.map { state -> HTML in
            "<div><dt>\(state.words)</dt><dd>\(view.counts[state] ?? 0)</dd></div>"
        }
        return """
            <dl id="overview">\(states)<div><dt>Stored reports</dt><dd>\(view.reports)</dd></div>\
            <div><dt>Reports in the last hour</dt><dd>\(view.lastHour)</dd></div></dl>
            """
    }

    private func filter(_ filter: IncidentFilter) -> HTML {
        let states = IncidentState.allCases.map { state -> HTML in
            """
            <option value="\(state.rawValue)"\(state == filter.state ? " selected" as HTML : "")>\(state.words)</option>
            """
        }
        let reset: HTML? = filter.isActive ? " <a href=\"\(DeskPaths.incidents)\">Remove the filter</a>" : nil
        return """
            <form id="filter" method="get" action="\(DeskPaths.incidents)" role="search" aria-label="Filter incidents">\
            <p><label for="filter-host">Host</label> <input id="filter-host" name="host" maxlength="253" dir="ltr" \
            value="\(filter.host)"></p>\
            <p><label for="filter-app">App</label> <input id="filter-app" name="app" maxlength="255" dir="ltr" \
            value="\(filter.app)"></p>\
            <p><label for="filter-state">State</label> <select id="filter-state" name="state">\
            <option value="">any</option>\(states)</select></p>\
            <p><label for="filter-since">Seen since</label> <input id="filter-since" name="since" type="date" \
            value="\(filter.since)"></p><p><button>Filter</button>\(reset)</p></form>
            """
    }

    private func row(_ incident: IncidentSummary) -> HTML {
        """
        <tr data-id="\(incident.id)" data-state="\(incident.state.rawValue)"><th scope="row">\
        <a href="\(DeskPaths.incident(incident.id))"><bdi>\(incident.key.host)</bdi></a></th>\
        <td><bdi>\(incident.key.appText)</bdi></td><td>\(incident.key.resultText)</td>\
        <td>\(Self.badge(incident.state))</td><td class="number">\(incident.count)</td>\
        <td class="number">\(incident.clientsText)</td><td>\(DeskTime.element(incident.firstSeen))</td>\
        <td>\(DeskTime.element(incident.lastSeen))</td></tr>
        """
    }

    static func badge(_ state: IncidentState) -> HTML {
        "<span class=\"state\" data-state=\"\(state.rawValue)\">\(state.words)</span>"
    }
}

extension ReportDeskPages {
    // MARK: Pages without a session

    /// Returns the sign-in form.
    ///
    /// - Parameters:
    ///   - form: The token of the form.
    ///   - oneTime: The one-time token of the address. The person then needs no other token.
    package static func signIn(form: String, name: String = "", oneTime: String? = nil, notice: String? = nil) -> HTML {
        let secret: HTML =
            oneTime.map { "<input type=\"hidden\" name=\"once\" value=\"\($0)\">" }
                ?? """
                <p><label for="token">The readers’ token</label>\
                <input id="token" name="token" type="password" required autocomplete="current-password"></p>
                """
        return document(
            title: "Sign in · Report desk",
            body: """
                <main id="sign-in"><h1>Report desk</h1>\(self.notice(notice))\
                <form method="post" action="\(DeskPaths.signIn)"><input type="hidden" name="form" value="\(form)">\
                <p><label for="name">Your name, for the history of incidents</label>\
                <input id="name" name="name" required maxlength="60" autocomplete="nickname" value="\(name)" dir="auto">\
                </p>\(secret)<button>Sign in</button></form>\
                <p><a href="\(DeskPaths.incidents)">Already signed in? To the incidents</a></p></main>
                """)
    }

    /// Returns a page with the reason why a request was refused.
    package static func refusal(_ reason: String) -> HTML {
        document(
            title: "Report desk",
            body: """
                <main id="refusal"><h1>Report desk</h1><p role="alert">\(reason)</p>\
                <p><a href="\(DeskPaths.incidents)">To the incidents</a></p></main>
                """)
    }
}
