package import ServerMarkup

/// The script and the styles of the desk, which the program contains.
package enum ReportDeskFiles {
    package static let script = WebFile.script("desk.js", below: DeskPaths.root, ReportDeskContents.desk_js)
    package static let styles = WebFile.styles("desk.css", below: DeskPaths.root, ReportDeskContents.desk_css)
    package static let all = [script, styles]
}
