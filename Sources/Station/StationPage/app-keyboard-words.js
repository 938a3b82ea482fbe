// The words of the switch that has codes typed into other windows.

const codes = (count) => (count === 1 ? '1 code' : count + ' codes');

export const keyboardWords = {
    en: {
        keyboard: 'Keyboard', keyboardArmed: 'Type codes into the window that has the focus',
        keyboardOff: 'Off: codes are saved and not typed.', keyboardOn: 'On: codes are typed.',
        keyboardHere: 'On, but this page has the focus: click into the window that is to get the codes.',
        keyboardTyped: (count) => `${codes(count)} typed`, keyboardHeldOff: (count) => `${codes(count)} not typed while it was off`,
        keyboardHeldHere: (count) => `${codes(count)} not typed while this page had the focus`,
    },
    zh: {
        keyboard: '键盘', keyboardArmed: '将扫描内容输入到当前窗口',
        keyboardOff: '已关闭：只保存，不输入。', keyboardOn: '已开启：扫描内容会自动输入。',
        keyboardHere: '已开启，但焦点在本页：请点击要接收内容的窗口。',
        keyboardTyped: (count) => `已输入 ${count} 个码`, keyboardHeldOff: (count) => `关闭期间 ${count} 个码未输入`,
        keyboardHeldHere: (count) => `焦点在本页期间 ${count} 个码未输入`,
    },
};
