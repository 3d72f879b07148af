import ServerMarkup

/// The script and the styles of the desk, which the program contains.
enum DeskFiles {
    static let script = WebFile.script("desk.js", below: DeskPaths.root, DeskContents.desk_js)
    static let styles = WebFile.styles("desk.css", below: DeskPaths.root, DeskContents.desk_css)
    static let all = [script, styles]
}
