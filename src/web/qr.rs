//! The address of the page as a picture that phones can read.

use qrcode::EcLevel;
use serde::Serialize;

/// A QR code, drawn as a path.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct QrCode {
    /// The modules of each side, without the quiet margin of four around it.
    pub size: usize,
    /// The dark modules as the data of an SVG path: one unit is one module.
    pub path: String,
}

/// A text as a QR code; nothing if it is too long for one.
pub fn qr_code(text: &str) -> Option<QrCode> {
    let code = qrcode::QrCode::with_error_correction_level(text, EcLevel::M).ok()?;
    let size = code.width();
    let modules = code.to_colors();
    let mut path = String::new();
    for (y, row) in modules.chunks(size).enumerate() {
        let mut x = 0;
        for run in row.chunk_by(|one, other| one == other) {
            if run[0] == qrcode::Color::Dark {
                path.push_str(&format!("M{x} {y}h{0}v1h-{0}z", run.len()));
            }
            x += run.len();
        }
    }
    Some(QrCode { size, path })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_square_and_has_its_three_corners() {
        let code = qr_code("http://192.168.1.20:8080/").expect("an address is short enough");
        assert_eq!(code.size, 25);
        for corner in ["M0 0h7v1h-7z", "M18 0h7v1h-7z", "M0 18h7v1h-7z"] {
            assert!(code.path.contains(corner), "{corner}: {}", code.path);
        }
        assert_eq!(qr_code(&"x".repeat(5_000)), None);
    }
}
